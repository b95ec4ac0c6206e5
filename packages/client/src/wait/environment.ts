type Environment = Record<string, string | undefined>;

interface Process {
  readonly env: Environment;
  readonly stderr: { write(text: string): unknown };
}

const { process } = globalThis as unknown as { process: Process };

/** Of this process; the tests run in others that inherit it. */
export const environment: Environment = process.env;

/** Sets variables; returns what gives them back their former values. */
export function setEnvironment(variables: Readonly<Record<string, string>>): () => void {
  const former = Object.keys(variables).map((name) => [name, environment[name]] as const);
  Object.assign(environment, variables);
  return () => {
    for (const [name, value] of former) {
      if (value === undefined) delete environment[name];
      else environment[name] = value;
    }
  };
}

/** Prints a line for a person. Reports of runners go to standard output, which it must not disturb. */
export function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** What a test in Jest's jsdom is told. */
export const NO_DECODER =
  'This test runs in jsdom as Jest sets it up, without fetch and TextDecoder. Begin its file with "/** @jest-environment node */", or use the environment jest-fixed-jsdom.';
