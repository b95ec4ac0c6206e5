import { useEffect } from 'preact/hooks';

/**
 * Marks the frame that has the focus. No style sheet can: where the focus is in the document of a frame, the page
 * around it has none.
 */
export function useFrameFocus(): void {
  useEffect(() => {
    let frame: HTMLIFrameElement | null = null;
    const look = () => {
      frame?.removeAttribute('data-focused');
      const { activeElement } = document;
      frame = activeElement instanceof HTMLIFrameElement ? activeElement : null;
      frame?.setAttribute('data-focused', '');
    };
    // Some browsers say only afterwards where the focus went.
    const soon = () => setTimeout(look);
    addEventListener('blur', soon);
    addEventListener('focus', soon);
    return () => {
      removeEventListener('blur', soon);
      removeEventListener('focus', soon);
    };
  }, []);
}
