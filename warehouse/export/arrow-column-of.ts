import { DuckDBDecimalType, DuckDBListType, DuckDBStructType, type DuckDBType, DuckDBTypeId } from '@duckdb/node-api'
import {
  Binary,
  type DataType,
  DateDay,
  Decimal,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  TimeMicrosecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from 'apache-arrow'
import { ServiceError } from '../../primitives/errors.ts'
import {
  type ArrowColumn,
  appendHuge,
  appendWide,
  booleanColumn,
  type Encoding,
  fixedColumn,
  listColumn,
  structColumn,
  textColumn,
} from './arrow-columns.ts'

/**
 * Creates the Arrow column of a DuckDB type. Decimals are Decimal128 of the same digits and scale, TIMESTAMPTZ is a timestamp in
 * microseconds with zone UTC, HUGEINT is a Decimal128 without fraction.
 * @throws {ServiceError} VALIDATION_SQL_REFUSED: Arrow has no common form of the type
 */
export function arrowColumnOf(type: DuckDBType, name: string): ArrowColumn {
  if (type instanceof DuckDBListType) return listColumn(arrowColumnOf(type.valueType, name))
  if (type instanceof DuckDBStructType) {
    const children = type.entryTypes.map((entry, n) => arrowColumnOf(entry, `${name}.${type.entryNames[n]}`))
    return structColumn(type.entryNames, children)
  }
  if (type instanceof DuckDBDecimalType)
    return fixedColumn(new Decimal(type.scale, type.width, 128), decimalBytes(type.width))
  if (type.typeId === DuckDBTypeId.BOOLEAN) return booleanColumn()
  if (type.typeId === DuckDBTypeId.VARCHAR) return textColumn(new Utf8())
  if (type.typeId === DuckDBTypeId.BLOB) return textColumn(new Binary())
  const fixed = FIXED[type.typeId]
  if (fixed !== undefined) return fixedColumn(fixed.type(), fixed)
  throw new ServiceError(
    'VALIDATION_SQL_REFUSED',
    `column ${name} is ${type}, which format arrow does not have; allowed: cast it, such as ${name}::varchar`,
    { seen: type.toString() },
  )
}

const FIXED: Partial<Record<DuckDBTypeId, Encoding & { readonly type: () => DataType }>> = {
  [DuckDBTypeId.TINYINT]: { type: () => new Int8(), width: 1, view: Int8Array },
  [DuckDBTypeId.SMALLINT]: { type: () => new Int16(), width: 2, view: Int16Array },
  [DuckDBTypeId.INTEGER]: { type: () => new Int32(), width: 4, view: Int32Array },
  [DuckDBTypeId.BIGINT]: { type: () => new Int64(), width: 8, view: BigInt64Array },
  [DuckDBTypeId.UTINYINT]: { type: () => new Uint8(), width: 1, view: Uint8Array },
  [DuckDBTypeId.USMALLINT]: { type: () => new Uint16(), width: 2, view: Uint16Array },
  [DuckDBTypeId.UINTEGER]: { type: () => new Uint32(), width: 4, view: Uint32Array },
  [DuckDBTypeId.UBIGINT]: { type: () => new Uint64(), width: 8, view: BigUint64Array },
  [DuckDBTypeId.FLOAT]: { type: () => new Float32(), width: 4, view: Float32Array },
  [DuckDBTypeId.DOUBLE]: { type: () => new Float64(), width: 8, view: Float64Array },
  [DuckDBTypeId.DATE]: { type: () => new DateDay(), width: 4, view: Int32Array },
  [DuckDBTypeId.TIME]: { type: () => new TimeMicrosecond(), width: 8, view: BigInt64Array },
  [DuckDBTypeId.TIMESTAMP]: { type: () => new TimestampMicrosecond(), width: 8, view: BigInt64Array },
  [DuckDBTypeId.TIMESTAMP_S]: { type: () => new TimestampSecond(), width: 8, view: BigInt64Array },
  [DuckDBTypeId.TIMESTAMP_MS]: { type: () => new TimestampMillisecond(), width: 8, view: BigInt64Array },
  [DuckDBTypeId.TIMESTAMP_NS]: { type: () => new TimestampNanosecond(), width: 8, view: BigInt64Array },
  [DuckDBTypeId.TIMESTAMP_TZ]: { type: () => new TimestampMicrosecond('UTC'), width: 8, view: BigInt64Array },
  [DuckDBTypeId.HUGEINT]: { type: () => new Decimal(0, 38, 128), width: 16, view: Uint32Array, append: appendHuge },
}

/** DuckDB stores a decimal in the smallest integer that holds its digits. */
function decimalBytes(digits: number): Encoding {
  if (digits > 18) return { width: 16, view: Uint32Array }
  const width = digits <= 4 ? 2 : digits <= 9 ? 4 : 8
  return { width, view: Uint32Array, append: appendWide(width) }
}
