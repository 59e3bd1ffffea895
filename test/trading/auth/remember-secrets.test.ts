import { expect, test } from 'vitest'
import { rememberSecrets } from '../../../trading/auth/authenticate.ts'

test('a secret is opened once a key and material, and another material is another secret', () => {
  const asked: string[] = []
  const unseal = rememberSecrets((key_id, material) => {
    asked.push(`${key_id} ${material}`)
    return Buffer.from(`${key_id}/${material}`)
  })
  for (const material of ['a', 'b', 'a']) expect(String(unseal('key_1', material))).toBe(`key_1/${material}`)
  expect(String(unseal('key_2', 'a'))).toBe('key_2/a')
  expect(asked).toEqual(['key_1 a', 'key_1 b', 'key_2 a'])
})

test('what cannot be opened is refused each time', () => {
  const unseal = rememberSecrets(() => {
    throw new TypeError('sealed otherwise')
  })
  for (let time = 0; time < 2; time += 1) expect(() => unseal('key_1', 'a')).toThrow('sealed otherwise')
})
