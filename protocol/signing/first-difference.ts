import type { FieldValue, MessageType, TypedMessage } from './typed-data.ts'

/** First field in which the message a caller claims to have signed differs from the body's. */
export type Difference = { readonly field: string; readonly rebuilt: string; readonly signed: string }

/**
 * The first field, in the order of the type, whose value differs; null where none does. Integers of the echo may be JSON integers or
 * digits, addresses and hashes of any case. A field that the echo lacks differs.
 */
export function firstDifference(
  { fields }: MessageType,
  rebuilt: TypedMessage,
  echo: Readonly<Record<string, unknown>>,
): Difference | null {
  for (const { name, type } of fields) {
    const value = textOf(rebuilt[name]!)
    const given = Object.hasOwn(echo, name) ? echo[name] : undefined
    const text = isPlain(given) ? textOf(given) : 'missing'
    const same = type === 'address' || type === 'bytes32' ? text.toLowerCase() === value : text === value
    if (!same || !isPlain(given)) return { field: name, rebuilt: value, signed: text }
  }
  return null
}

function isPlain(value: unknown): value is FieldValue {
  return ['string', 'boolean', 'number', 'bigint'].includes(typeof value)
}

function textOf(value: FieldValue): string {
  return String(value)
}
