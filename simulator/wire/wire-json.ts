/** A JSON number as digits, so that 0.42 is written exactly, without a double. */
export class JsonNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Content of a body. Undefined fields are omitted. */
export type WireValue =
  | string
  | number
  | boolean
  | null
  | JsonNumber
  | readonly WireValue[]
  | { readonly [field: string]: WireValue | undefined }

/** Serializes JSON with fields in the order of writing. Plain numbers must be whole. */
export function wireJson(value: WireValue): string {
  if (value instanceof JsonNumber) return value.text
  if (Array.isArray(value)) return `[${value.map(wireJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  let text = ''
  for (const [field, part] of Object.entries(value)) {
    if (part !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(field)}:${wireJson(part)}`
  }
  return `{${text}}`
}

/** Makes a JSON number of these digits. */
export function jsonNumber(text: string): JsonNumber {
  return new JsonNumber(text)
}
