import { type ReactNode, useEffect, useRef } from 'react';

/** The heading of a view. It takes the focus when the view comes up, so that who does not see hears where they are. */
export function Heading({ children }: { readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
