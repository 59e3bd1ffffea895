const [PLUS, MINUS, POINT, ZERO, NINE, UPPER_E, LOWER_E] = [43, 45, 46, 48, 57, 69, 101]

/** Returns the end of the number that begins at `from` (RFC 8259, section 6); -1 if there is none. */
export function endOfNumber(text: string, from: number): number {
  const start = text.charCodeAt(from) === MINUS ? from + 1 : from
  let at = text.charCodeAt(start) === ZERO ? start + 1 : endOfDigits(text, start)
  if (at === start) return -1
  let code = text.charCodeAt(at)
  if (code === POINT) {
    const fraction = at + 1
    at = endOfDigits(text, fraction)
    if (at === fraction) return -1
    code = text.charCodeAt(at)
  }
  return code === LOWER_E || code === UPPER_E ? endOfExponent(text, at + 1) : at
}

function endOfExponent(text: string, from: number): number {
  const code = text.charCodeAt(from)
  const start = code === PLUS || code === MINUS ? from + 1 : from
  const at = endOfDigits(text, start)
  return at === start ? -1 : at
}

function endOfDigits(text: string, from: number): number {
  let at = from
  for (let code = text.charCodeAt(at); code >= ZERO && code <= NINE; code = text.charCodeAt(at)) at += 1
  return at
}
