/** Description of a view: the subject of a row, and meanings of the columns that are its own or mean something else here. */
export type ViewMeaning = { readonly row: string; readonly columns: Readonly<Record<string, string>> }
