/** Dots that say that something may come at any moment. */
export function Waiting() {
  return (
    <p class="waiting" aria-hidden="true">
      <span />
      <span />
      <span />
    </p>
  );
}
