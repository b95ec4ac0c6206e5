import { countOf, type Deletion } from './use-deletion.js';

/** Says what was deleted, for as long as that can be undone. */
export function UndoBar({ deletion: { undoable, undo } }: { deletion: Deletion }) {
  if (undoable.length === 0) return null;
  return (
    <p class="undo">
      {countOf(undoable.length)} deleted
      <button type="button" class="button" onClick={undo}>
        Undo
      </button>
    </p>
  );
}
