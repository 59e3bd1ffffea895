import { expect, test } from 'vitest'
import { sandboxAccounts, type UpRun } from '../../../service/up/up-options.ts'

const accountsOf = (options: Partial<UpRun['options']>) => sandboxAccounts({ options } as UpRun)

test('a service with sample data has a sandbox, one without has none, unless a number of accounts is given', () => {
  expect(accountsOf({ sampleData: true })).toBe(2)
  expect(accountsOf({ sampleData: false })).toBe(0)
  expect(accountsOf({ sampleData: false, sandboxAccounts: 4 })).toBe(4)
  expect(accountsOf({ sampleData: true, sandboxAccounts: 0 })).toBe(0)
})
