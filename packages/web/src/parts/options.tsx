/** The options of a `select`: their values and labels. */
export const Options = ({ of }: { readonly of: readonly (readonly [string, string, ...unknown[]])[] }) =>
  of.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
