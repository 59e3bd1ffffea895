/**
 * Shares the width of a line among columns: the widest ones shrink first, none below `narrowest`. Columns for which even that is too
 * much are left out at the end, but never the first. Pure.
 * @param natural    widths that show every cell whole
 * @param available  width of the line
 * @param rule       `between` two columns, `around` all of them, and the `narrowest` width of a column that shrinks
 * @returns          one width a shown column, so at most as many as `natural`
 */
export function fitWidths(
  natural: readonly number[],
  available: number,
  rule: { readonly between: number; readonly around: number; readonly narrowest: number },
): number[] {
  const least = natural.map((width) => Math.min(width, rule.narrowest))
  const needed = (count: number) => sum(least.slice(0, count)) + rule.between * (count - 1) + rule.around
  let count = natural.length
  while (count > 1 && needed(count) > available) count -= 1
  const room = available - rule.between * (count - 1) - rule.around
  return shrink(natural.slice(0, count), Math.max(room, 1))
}

/** Lowers all widths to the greatest common limit whose sum fits; the rest goes to the first columns that it lowered. */
function shrink(natural: readonly number[], room: number): number[] {
  let limit = Math.max(...natural, 1)
  while (limit > 1 && sum(natural.map((width) => Math.min(width, limit))) > room) limit -= 1
  let rest = room - sum(natural.map((width) => Math.min(width, limit)))
  return natural.map((width) => {
    if (width <= limit || rest <= 0) return Math.min(width, limit)
    rest -= 1
    return limit + 1
  })
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
