import { test } from 'vitest'
import { followThroughDisconnects } from '../api/stream/disconnects.ts'
import { SEED } from '../support/seed.ts'

test('1,000 forced disconnects with resume at two servers: no level missed or doubled, the book is that of REST', async () => {
  await followThroughDisconnects(1000, SEED + 1)
})
