import type { Accounts } from '../../accounts/index.ts'
import { Fault, limits } from '../../kernel/index.ts'
import { noContent, ok, type Route } from '../legacy-route.ts'
import { bodyObject, fieldsOf, invalid, textOf } from '../wire/fields.ts'

/** Signing in and out. */
export function tokenRoutes(accounts: Accounts): Route[] {
  return [
    {
      path: '/api:1/token',
      POST: {
        permission: 'nobody',
        bodyBytesMax: limits.signInBodyBytesMax,
        async act({ body, ip }) {
          const { email, password } = fieldsOf('body', bodyObject(body), ['email', 'password'])
          const { token } = await accounts.signIn(
            textOf('email', email),
            textOf('password', password),
            ip,
          )
          return ok({ token })
        },
      },
      DELETE: {
        permission: 'account',
        async act({ authorization = '' }) {
          const [, token] = /^token (.*)$/i.exec(authorization) ?? []
          if (token === undefined) throw invalid('Authorization', 'must be the token that ends')
          await accounts.signOut(token.trim())
          return noContent()
        },
      },
    },
    {
      path: '/api:1/token/:token',
      GET: {
        permission: 'nobody',
        async act({ params }) {
          const { businessId, subject } = await accounts.session(params.token ?? '')
          const users = await accounts.listUsers(businessId)
          const user = users.find(({ id }) => subject === `user:${id}`)
          if (user === undefined) throw new Fault('unknown_credential')
          return ok({ email: user.email })
        },
      },
    },
  ]
}
