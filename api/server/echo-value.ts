const LENGTH_MAX = 200

/** Shortens a value for an error message, never within a character. */
export function echoValue(value: string): string {
  if (value.length <= LENGTH_MAX) return value
  return `${value.slice(0, LENGTH_MAX).replace(/[\ud800-\udbff]$/, '')}...`
}
