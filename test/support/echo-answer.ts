type Sent = Readonly<Record<string, unknown>> & { readonly orders?: readonly Sent[] }

/** Answer of a service that carries out each write as it was sent. @param target path and query, or the whole address */
export function echoAnswer(target: string, body?: string, is_collection = false): Response {
  const is_list = is_collection || /\/(\w+-)?batch$/.test(target)
  return new Response(JSON.stringify({ data: dataOf(target, body, is_list), page: { next_cursor: null }, meta: {} }))
}

function dataOf(target: string, body: string | undefined, is_list: boolean): unknown {
  const sent: Sent = body === undefined || body === '' ? {} : JSON.parse(body)
  const items = sent.orders?.map((order, index) => {
    const placed = orderOf(order)
    return { index, status: 'accepted', order: placed, replacement: placed, order_id: 'ord_a', error: null }
  })
  if (is_list) return items ?? []
  const [, order_id] = /\/orders\/(\w+)\/(?:cancel|amend)$/.exec(target) ?? []
  const order = { ...orderOf(sent), order_id: order_id ?? 'ord_1' }
  return { ...order, ...(items === undefined ? {} : { orders: items }), replacement: order }
}

const orderOf = (order: Sent) => ({ ...order, original_quantity: order.quantity })
