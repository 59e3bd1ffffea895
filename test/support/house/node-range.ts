/** Whether a range of versions as `engines.node` writes it (`^20.19.0 || >=22.12.0`) admits a version. */
export function admits(range: string, version: string): boolean {
  return range.split('||').some((part) => comparators(part).every((comparator) => holds(comparator, version)))
}

function comparators(part: string): string[] {
  return part
    .replace(/([<>=^~]+)\s+/g, '$1')
    .trim()
    .split(/\s+/)
}

function holds(comparator: string, version: string): boolean {
  const [, operator, bound] = /^([<>=^~]*)v?(.*)$/.exec(comparator)!
  const wanted = bound!
    .split('.')
    .filter((part) => /^\d+$/.test(part))
    .map(Number)
  const given = version.split('.').map(Number)
  const order = wanted.reduce((found, part, at) => found || given[at]! - part, 0)
  const same = (parts: number) => wanted.slice(0, parts).every((part, at) => part === given[at])
  if (operator === '>=') return order >= 0
  if (operator === '>') return order > 0
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  if (operator === '^') return same(1) && order >= 0
  if (operator === '~') return same(2) && order >= 0
  return same(wanted.length)
}
