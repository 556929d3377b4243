import { type ReactNode, useEffect, useRef } from 'react';

let isFirst = true;

/**
 * The heading of a view. It takes the focus when the view changes, so that screen readers announce it; browsers announce
 * the first view automatically.
 */
export function Heading({ children }: { readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
