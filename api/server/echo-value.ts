const LENGTH_MAX = 200

/** A value of a request as its error repeats it: cut where it is long, never within a character. */
export function echoValue(value: string): string {
  if (value.length <= LENGTH_MAX) return value
  return `${value.slice(0, LENGTH_MAX).replace(/[\ud800-\udbff]$/, '')}...`
}
