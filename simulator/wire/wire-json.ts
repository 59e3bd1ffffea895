/** A JSON number given by its digits, so that 0.42 is written as it is and no double is made of it. */
export class JsonNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What a body can hold. Undefined fields are left out. */
export type WireValue =
  | string
  | number
  | boolean
  | null
  | JsonNumber
  | readonly WireValue[]
  | { readonly [field: string]: WireValue | undefined }

/** JSON text with fields in the order in which they were written. Plain numbers must be whole. */
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

/** A JSON number of these digits. */
export function jsonNumber(text: string): JsonNumber {
  return new JsonNumber(text)
}
