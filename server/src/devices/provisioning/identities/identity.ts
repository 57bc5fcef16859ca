/*
 * The life of an identity.
 *
 * It begins when an operator whitelists it: it is `whitelisted`, and may be activated until its
 * window closes; then it is `expired`, and the operator may open another window by whitelisting
 * it again. On a connector with self-registration it may also begin with its own activation.
 *
 * An activation gives it a credential: it is `provisioned`, and no second activation succeeds.
 * `devmode` is the same, said of a credential that crossed a connection that was not encrypted.
 *
 * The operator may order that it be activated again: it is `reprovision`. Its credential is unknown
 * from then on, which makes the device activate; it has a window for that, as at first, and is
 * `expired` after it. Withdrawing the order makes the old credential known again.
 *
 * The operator may lock it in any of these states: it is `locked`, its credential is refused and
 * so is an activation, until it is unlocked and is what it was before.
 *
 * Removing it ends it, with its credential and its values; the same name may begin anew.
 *
 * Kept are the facts (locked, reprovision, devmode, activate_until, provisioned_at); the status is
 * derived from them and the clock whenever somebody asks. Each step is one guarded statement in
 * store/identities.ts, where the guards are.
 */
export const statuses = [
  'whitelisted',
  'provisioned',
  'locked',
  'reprovision',
  'expired',
  'devmode',
] as const
export type Status = (typeof statuses)[number]

export type Tag = { readonly name: string; readonly value: string }
