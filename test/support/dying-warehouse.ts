import type { Warehouse } from '../../warehouse/warehouse.ts'

/**
 * Returns a warehouse whose process ends at its nth commit.
 * @param tables gets the table of each commit before that
 */
export function dying(warehouse: Warehouse, at: number, tables: string[] = []): Warehouse {
  const append: Warehouse['append'] = async (table, ...rest) => {
    if (tables.length + 1 >= at) throw new Error('killed')
    tables.push(table)
    return warehouse.append(table, ...rest)
  }
  return { ...warehouse, append }
}
