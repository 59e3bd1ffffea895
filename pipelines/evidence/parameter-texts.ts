import { Decimal } from '../../primitives/decimal.ts'
import { invariant } from '../../primitives/errors.ts'

/** Every parameter of a methodology by its dotted name, as text; the content hash covers it. */
export type ParameterTexts = Readonly<Record<string, string>>

/**
 * Returns the parameter sheet of a methodology from the values that the code computes with, so that the two cannot differ.
 * Items of a list are named by their `name`, or by their number from 1; a list of plain values is one text.
 */
export function parameterTexts(parameters: object, prefix = ''): ParameterTexts {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => Object.entries(textsOf(`${prefix}${name}`, value))),
  )
}

function textsOf(name: string, value: unknown): ParameterTexts {
  if (isPlain(value)) return { [name]: String(value) }
  if (Array.isArray(value) && value.every(isPlain)) return { [name]: value.map(String).join(' ') }
  if (Array.isArray(value)) {
    const named = value.map((item: Record<string, unknown>, i) => {
      const { name: own = i + 1, ...rest } = item
      return [String(own), rest] as const
    })
    return parameterTexts(Object.fromEntries(named), `${name}.`)
  }
  invariant(typeof value === 'object' && value !== null, `parameter ${name} has no text`)
  return parameterTexts(value, `${name}.`)
}

function isPlain(value: unknown): boolean {
  return Decimal.isDecimal(value) || ['string', 'number', 'boolean'].includes(typeof value)
}
