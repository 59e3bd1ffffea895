/** Version of a listing's rules where the listing names none: rules never change after the listing. */
export const RULES_VERSION = '1'
/** Time zone of a listing's schedule where it names none: every instant of a schedule is in UTC. */
export const TIMEZONE = 'UTC'

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
