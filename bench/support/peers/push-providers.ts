import { fakeApns } from '../../../server/test/fixtures/peers/push-apns.ts'
import { fakeFcm } from '../../../server/test/fixtures/peers/push-fcm.ts'
import { answerParent } from '../frame/child.ts'

/** Apple's and Google's services as the tests have them, in a process of their own. */

export type Providers = {
  readonly apns: {
    readonly url: string
    readonly key: string
    readonly keyId: string
    readonly teamId: string
    readonly topic: string
  }
  readonly fcm: { readonly url: string; readonly account: Readonly<Record<string, string>> }
}

const forgetMs = 100
const ends: (() => unknown)[] = []
const world = { after: (end: () => unknown) => void ends.push(end) }
const [apns, fcm] = [await fakeApns(world), await fakeFcm(world)]

function open(): Providers {
  const { url, key, keyId, teamId, topic } = apns
  return { apns: { url, key, keyId, teamId, topic }, fcm: { url: fcm.url, account: fcm.account } }
}

// Notifications that were taken are not looked at, and would fill the memory.
const forgetting = setInterval(() => {
  apns.accepted.length = 0
  fcm.accepted.length = 0
}, forgetMs)

answerParent({ open }, async () => {
  clearInterval(forgetting)
  for (const end of ends.reverse()) await end()
})
