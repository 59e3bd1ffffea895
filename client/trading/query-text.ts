/** Query parameters; one without a value is left out. */
export type PrivateQuery = Readonly<Record<string, string | number | boolean | null | undefined>>

/** `a=1&b=2`, encoded as RFC 3986 asks for (a space is %20), so that what is signed is what is sent. */
export function queryText(query: PrivateQuery): string {
  return Object.entries(query)
    .flatMap(([name, value]) => (value == null ? [] : [`${encode(name)}=${encode(String(value))}`]))
    .join('&')
}

/** `encodeURIComponent` leaves five characters that RFC 3986 reserves. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
