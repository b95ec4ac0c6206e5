import { confirm, signUp } from './accounts.js';

export default async function Page({ searchParams }) {
  const { email, problem, welcome } = await searchParams;
  if (welcome) return <h1>Welcome, {welcome}</h1>;
  if (email) {
    return (
      <form action={confirm}>
        <input type="hidden" name="email" value={email} />
        <label>
          Code <input name="code" required />
        </label>
        <button type="submit">Confirm</button>
      </form>
    );
  }
  return (
    <form action={signUp}>
      {problem && <p role="alert">{problem}</p>}
      <label>
        Email <input type="email" name="email" required />
      </label>
      <button type="submit">Sign up</button>
    </form>
  );
}
