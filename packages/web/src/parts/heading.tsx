import { type ReactNode, useEffect, useRef } from 'react';

let isFirst = true;

/**
 * The heading of a view. It takes the focus when another view comes up, so that who does not see hears where they are;
 * of the first view a browser tells by itself.
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
