/** Handles an event in this page: the browser does not send the form, follow the link or move the focus. */
export const preventingDefault = (act: () => void) => (event: { readonly preventDefault: () => void }) => {
  event.preventDefault();
  act();
};
