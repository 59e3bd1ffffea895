import { readFile } from 'node:fs/promises'
import Type, { type Static, type TSchema } from 'typebox'
import { parse } from 'yaml'
import { yamlFault } from '../../pipelines/text/yaml-fault.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { idForm } from '../../primitives/id-form.ts'
import { closed, Decimal, idOf } from '../../protocol/scalars.ts'
import { explainShape } from './explain-shape.ts'

/** Terms of a market in operator files; decimals are quoted texts. */
export const WrittenTerms = Type.Object(
  {
    price_min: Decimal,
    price_max: Decimal,
    price_increment: Decimal,
    quantity_increment: Decimal,
    minimum_quantity: Decimal,
    settlement_asset_id: idOf('asset', idForm('asset')),
    shorting_permitted: Type.Boolean(),
    complementary: Type.Optional(
      Type.Boolean({
        description:
          'true: two outcomes whose payouts sum to 1, whose orders meet on one ladder; price_min and price_max sum to 1',
      }),
    ),
  },
  closed,
)

/** Fees of a market; the maker rate defaults to 0. */
export const WrittenFees = Type.Object(
  {
    schedule_id: idOf('fees', idForm('fees')),
    taker_rate: Decimal,
    maker_rate: Type.Optional(Decimal),
  },
  closed,
)

/** @throws {ServiceError} VALIDATION_INPUT_UNREADABLE */
export async function readShapedFile(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const message = `file is ${file} (${error.code}); allowed: a readable YAML or JSON file`
    throw new ServiceError('VALIDATION_INPUT_UNREADABLE', message, { file }, error)
  })
}

/** Parses YAML by a schema. @throws {ServiceError} VALIDATION_DEFINITION_INVALID names the path, the value and what is allowed */
export function parseShaped<S extends TSchema>(schema: S, text: string, file: string): Static<S> {
  const value = parsed(text, file)
  const fault = explainShape(schema, value)
  if (fault !== null) throw new ServiceError('VALIDATION_DEFINITION_INVALID', `${file}: ${fault}`, { file })
  return value as Static<S>
}

function parsed(text: string, file: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 })
  } catch (error) {
    throw new ServiceError(
      'VALIDATION_DEFINITION_INVALID',
      `${file}: ${yamlFault(error as Error, text)}`,
      { file },
      error,
    )
  }
}
