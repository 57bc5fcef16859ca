import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { limits } from '../limits.ts'
import { SharedBound } from './shared-bound.ts'

describe('a bound that businesses share', () => {
  it('leaves room to others, however many holders a business makes', () => {
    const bound = new SharedBound({ what: 'views', max: () => 10, holderMax: () => 3 })
    const most = limits.openOfBusinessPercent / 10
    const leaves: (() => void)[] = []
    const enter = (businessId: string, subject: string) => {
      bound.requireRoom({ businessId, subject })
      leaves.push(bound.enter({ businessId, subject }))
    }
    for (let at = 0; at < 3; at += 1) enter('a', 'user:0')
    assert.throws(() => enter('a', 'user:0'), /Too many views of this credential are open/)
    for (let at = 3; at < most; at += 1) enter('a', `user:${at}`)
    assert.throws(() => enter('a', 'user:x'), /Too many views of this business are open/)
    for (let at = most; at < 10; at += 1) enter('b', `user:${at}`)
    assert.throws(() => enter('c', 'user:y'), /Too many views are open/)
    const [first] = leaves
    first?.()
    first?.()
    enter('a', 'user:0')
    assert.throws(() => enter('c', 'user:y'), /Too many views are open/)
  })
})
