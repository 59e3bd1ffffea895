const SLUG_LENGTH_MAX = 80

/** Returns the readable name of a market or event in an address: its title in lower-case letters, digits and hyphens. */
export function slugOf(title: string): string {
  const words =
    title
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, SLUG_LENGTH_MAX).replace(/-+$/, '')
}
