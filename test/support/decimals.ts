import fc from 'fast-check'

/** Any integer written in base 10, up to `digits` digits, either sign. */
export function integerText(digits: number): fc.Arbitrary<bigint> {
  const bound = 10n ** BigInt(digits) - 1n
  return fc.bigInt({ min: -bound, max: bound })
}

/** A decimal string with up to `whole` digits before and up to `fraction` digits after the point, ties included often. */
export function decimalText(whole = 12, fraction = 20): fc.Arbitrary<string> {
  const digits = (length: number) =>
    fc.array(fc.constantFrom(...'0123456789'), { maxLength: length }).map((list) => list.join(''))
  const tail = fc.oneof(
    { weight: 3, arbitrary: digits(fraction) },
    { weight: 1, arbitrary: digits(fraction - 1).map((text) => `${text}5`) },
    { weight: 1, arbitrary: digits(fraction - 4).map((text) => `${text}5000`) },
  )
  return fc.tuple(fc.boolean(), digits(whole), tail).map(([negative, left, right]) => {
    const stripped = left.replace(/^0+/, '') || '0'
    return `${negative ? '-' : ''}${stripped}${right === '' ? '' : `.${right}`}`
  })
}
