import type { Accounts } from '../../accounts/index.ts'
import { noContent, ok, type Route } from '../route.ts'
import { bodyObject, fieldsOf, invalid, textOf } from '../wire/fields.ts'

/** Signing in and out. */
export function tokenRoutes(accounts: Accounts): Route[] {
  return [
    {
      path: '/api:1/token',
      POST: {
        permission: 'nobody',
        async act({ body }) {
          const { email, password } = fieldsOf('body', bodyObject(body), ['email', 'password'])
          const { token } = await accounts.signIn(
            textOf('email', email),
            textOf('password', password),
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
  ]
}
