import type { Accounts } from '../../accounts/index.ts'
import type { Ledger } from '../../eventlog/index.ts'
import { Fault, limits } from '../../kernel/index.ts'
import type { Mail, StoredMail } from '../../mail/index.ts'
import type { Allowances } from '../../services/http/index.ts'
import {
  allowOutboundAddress,
  getLedger,
  listOutboundAddresses,
  removeOutboundAddress,
} from '../contract/operator.ts'
import {
  allowMailSender,
  getMail,
  listMailSenders,
  listMails,
  removeMailSender,
} from '../contract/people/mails.ts'
import { noContent, ok, type Route, route } from '../route.ts'

export type OutboundRoutesOptions = {
  readonly accounts: Pick<Accounts, 'findBusiness'>
  readonly allowances: Pick<Allowances, 'list' | 'add' | 'remove'>
}

/** The id of the business that a path names. @throws Fault `not_found`. */
export async function businessNamed(
  accounts: Pick<Accounts, 'findBusiness'>,
  name: string,
): Promise<string> {
  const business = await accounts.findBusiness(name)
  if (business !== undefined) return business.id
  throw new Fault('not_found', `There is no business ${JSON.stringify(name)}.`)
}

/** The private addresses that the operator allows to the scripts of one business. */
export function outboundRoutes({ accounts, allowances }: OutboundRoutesOptions): Route[] {
  const businessOf = ({ business }: { readonly business: string }) =>
    businessNamed(accounts, business)
  return [
    route(listOutboundAddresses, async ({ params }) =>
      ok({ addresses: await allowances.list(await businessOf(params)) }),
    ),
    route(allowOutboundAddress, async ({ params }) => {
      await allowances.add(await businessOf(params), params.address)
      return noContent()
    }),
    route(removeOutboundAddress, async ({ params }) => {
      await allowances.remove(await businessOf(params), params.address)
      return noContent()
    }),
  ]
}

const usPerMs = 1_000

/** The counts of the ledger, which are those of all businesses. */
export function ledgerRoutes(ledger: Pick<Ledger, 'hours'>): Route[] {
  return [
    route(getLedger, async ({ query: { limit = limits.pageMax } }) => {
      const rows = await ledger.hours(Math.min(limit, limits.ledgerHoursMax))
      const hours = rows.map(({ stage, hourMs, taken, done, failed }) => {
        return { hour: hourMs * usPerMs, stage, in: taken, out: done, failed }
      })
      return ok({ hours })
    }),
  ]
}

/** The mails that no server has taken, because there is none, and the senders of businesses. */
export function mailRoutes(
  mail: Pick<Mail, 'list' | 'find' | 'senders'>,
  accounts: Pick<Accounts, 'findBusiness'>,
): Route[] {
  return [
    route(listMailSenders, async ({ params }) => {
      const id = await businessNamed(accounts, params.business)
      return ok({ senders: await mail.senders.list(id) })
    }),
    route(allowMailSender, async ({ params }) => {
      await mail.senders.allow(await businessNamed(accounts, params.business), params.sender)
      return noContent()
    }),
    route(removeMailSender, async ({ params }) => {
      await mail.senders.remove(await businessNamed(accounts, params.business), params.sender)
      return noContent()
    }),
    route(listMails, async () => ok({ mails: (await mail.list()).map(headOf) })),
    route(getMail, async ({ params }) => {
      const found = await mail.find(params.mail)
      return ok({ ...headOf(found), text: found.text, html: found.html })
    }),
  ]
}

function headOf({ id, businessId, from, replyTo, to, subject, createdAt }: StoredMail) {
  return {
    id,
    business_id: businessId,
    from,
    reply_to: replyTo,
    to: [...to],
    subject,
    created_at: createdAt,
  }
}
