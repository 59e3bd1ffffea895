import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ORDER_TYPE } from '../../../protocol/order/order-terms.ts'
import { AUTHORIZATION_TYPE, encodedType } from '../../../protocol/signing/typed-data.ts'
import { ROOT } from '../../support/source-files.ts'
import { REQUEST_VECTORS } from '../../support/trading/request-vectors.ts'
import { VECTOR } from '../../support/trading/signing-world.ts'

const text = readFileSync(join(ROOT, 'docs/signing.md'), 'utf8')

test('the worked example of a request is a vector', () => {
  const example = /```text\n(SVC-Access[^`]*)\n```/.exec(text)![1]
  const vector = REQUEST_VECTORS.find(({ canonical_request }) => canonical_request.join('\n') === example)!
  expect(text).toContain(vector.signature)
  expect(text).toContain(vector.request.body)
  expect(vector.key).toMatchObject({ algorithm: 'hmac-sha256', secret: expect.any(String) })
  expect(vector.key.algorithm === 'hmac-sha256' && text.includes(vector.key.secret)).toBe(true)
})

test('the type strings and the vector of an order are those of the code', () => {
  for (const type of [ORDER_TYPE, AUTHORIZATION_TYPE]) expect(text).toContain(`\n${encodedType(type)}\n`)
  for (const fact of [VECTOR.signer, VECTOR.salt, VECTOR.digest, VECTOR.signature]) expect(text).toContain(fact)
})

test('it says how many vectors there are', () => {
  expect(text.replaceAll(/\s+/g, ' ')).toContain(`has ${REQUEST_VECTORS.length} vectors`)
})
