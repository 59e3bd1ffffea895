import { type ServedApi, serveApi } from '../../../api/serve.ts'
import { invariant } from '../../../primitives/errors.ts'
import { wholeWarehouse } from '../../../test/support/whole-warehouse.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'

/** Every process that serves a cursor of an earlier one shares its secret. */
const CURSOR_SECRET = Buffer.alloc(32, 7)

/** A warehouse with a process that serves it; both can be stopped and started again. */
export class AsofWorld {
  readonly root: string
  #open: { readonly warehouse: Warehouse; readonly api: ServedApi } | null = null

  private constructor(root: string) {
    this.root = root
  }

  static async start(folder: string): Promise<AsofWorld> {
    const world = new AsofWorld(await wholeWarehouse(folder))
    await world.open()
    return world
  }

  get warehouse(): Warehouse {
    return this.#opened().warehouse
  }

  get base_url(): string {
    return this.#opened().api.base_url
  }

  async open(): Promise<void> {
    const warehouse = await openWarehouse({ root: this.root })
    const place = { warehouse_root: this.root, host: '127.0.0.1', port: 0 }
    const api = await serveApi({
      ...place,
      environment: 'test',
      rate_limits: 'off',
      cursor_secret: CURSOR_SECRET,
    })
    this.#open = { warehouse, api }
  }

  async close(): Promise<void> {
    const open = this.#open
    this.#open = null
    await open?.api.close()
    await open?.warehouse.close()
  }

  #opened() {
    invariant(this.#open !== null, 'the world is open')
    return this.#open
  }
}
