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
      frame = activeElement instanceof HTMLIFrameElement && !document.hasFocus() ? activeElement : null;
      frame?.setAttribute('data-focused', '');
    };
    addEventListener('blur', look);
    addEventListener('focus', look);
    return () => {
      removeEventListener('blur', look);
      removeEventListener('focus', look);
    };
  }, []);
}
