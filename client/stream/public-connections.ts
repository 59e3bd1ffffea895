import type { Follower, StreamConnection } from '../trading/stream/stream-connection.ts'

/** Connections of a stream: one, and more while topics are followed several times, because each may be subscribed to once. */
export class PublicConnections {
  readonly #create: () => StreamConnection
  readonly #first: StreamConnection
  readonly #others = new Set<StreamConnection>()

  constructor(create: () => StreamConnection) {
    this.#create = create
    this.#first = create()
  }

  /** Follows a topic on the first connection that is free for it. @returns a function that ends it */
  follow(follower: Follower): () => void {
    const connection = this.#all.find((one) => !one.isFollowing(follower)) ?? this.#create()
    if (connection !== this.#first) this.#others.add(connection)
    const leave = connection.follow(follower)
    connection.start()
    return () => {
      leave()
      if (connection.follower_count === 0 && this.#others.delete(connection)) connection.close()
    }
  }

  get is_closed(): boolean {
    return this.#first.is_closed
  }

  close(): void {
    for (const connection of this.#all) connection.close()
  }

  get #all(): readonly StreamConnection[] {
    return [this.#first, ...this.#others]
  }
}
