import type { Accounts } from '../../accounts/index.ts'
import { Fault } from '../../kernel/index.ts'
import { getSession, signIn, signOut } from '../contract/token.ts'
import { noContent, ok, type Route, route } from '../route.ts'
import { invalid } from '../wire/fields.ts'

/** Signing in and out. */
export function tokenRoutes(accounts: Accounts): Route[] {
  return [
    route(signIn, async ({ body: { email, password }, ip }) => {
      const { token } = await accounts.signIn(email, password, ip)
      return ok({ token })
    }),
    route(signOut, async ({ authorization = '' }) => {
      const [, token] = /^token (.*)$/i.exec(authorization) ?? []
      if (token === undefined) throw invalid('Authorization', 'must be the token that ends')
      await accounts.signOut(token.trim())
      return noContent()
    }),
    route(getSession, async ({ params }) => {
      const { businessId, subject } = await accounts.session(params.token)
      const users = await accounts.listUsers(businessId)
      const user = users.find(({ id }) => subject === `user:${id}`)
      if (user === undefined) throw new Fault('unknown_credential')
      return ok({ email: user.email })
    }),
  ]
}
