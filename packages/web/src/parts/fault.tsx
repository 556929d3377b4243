import { Component, type ReactNode } from 'react';

/** A mistake of ours in one view does not take the others with it. */
export class Fault extends Component<{ readonly children: ReactNode }, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { readonly error: Error | null } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <div className="problem" role="alert">
        <strong>This view has an error: {error.message}.</strong> Data on the server is not affected. Reload
        the page, or look at another view.
      </div>
    );
  }
}
