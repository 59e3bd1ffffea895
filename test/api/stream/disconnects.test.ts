import { test } from 'vitest'
import { SEED } from '../../support/seed.ts'
import { followThroughDisconnects } from './disconnects.ts'

test('100 forced disconnects with resume at two servers: no level missed or doubled, the book is that of REST', async () => {
  await followThroughDisconnects(100, SEED)
})
