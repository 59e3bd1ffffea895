import { expect, test } from 'vitest'
import { Gate } from '../../../tools/reliability/kill/gate.ts'

test('a client waits while the gate is closed, and passes once the work has ended, also by an error', async () => {
  const gate = new Gate()
  let passed = 0
  const client = async () => {
    await gate.pass()
    passed += 1
  }
  await client()
  expect(passed).toBe(1)
  const failing = gate.closedFor(async () => {
    void client()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(passed).toBe(1)
    throw new Error('planted')
  })
  await expect(failing).rejects.toThrow('planted')
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect(passed).toBe(2)
})
