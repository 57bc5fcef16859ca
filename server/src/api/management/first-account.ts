import type { FastifyInstance } from 'fastify'
import { pageHeaders } from '../../foundation/kernel/index.ts'
import { firstAccountPath as path } from '../../people/accounts/index.ts'

const script = `const form = document.querySelector('form')
const message = document.querySelector('output')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { business, email, password } = Object.fromEntries(new FormData(form))
  message.textContent = 'Creating the account …'
  const code = location.hash.slice(1)
  const body = JSON.stringify({ code, business, email, password })
  const headers = { 'content-type': 'application/json' }
  const options = { method: 'POST', headers, body, credentials: 'omit' }
  const answer = await fetch('/api:1/first-account', options).catch(() => undefined)
  if (answer?.ok) {
    message.textContent = 'The account was created. You can sign in now.'
    setTimeout(() => location.replace('/'), 1500)
    return
  }
  const refusal = await answer?.json().catch(() => undefined)
  message.textContent = refusal?.message ?? 'The instance does not answer.'
})
`

const styles = `body { font: 16px/1.5 system-ui, sans-serif; margin: 10vh auto }
body { max-width: 24rem; padding: 0 1rem }
label { display: block; margin-top: 1rem }
input { box-sizing: border-box; font: inherit; padding: .4rem; width: 100% }
button { font: inherit; margin-top: 1.5rem; padding: .4rem 1rem }
output { display: block; margin-top: 1rem }
@media (prefers-color-scheme: dark) { body { background: #1a1b1e; color: #e0e0e0 } }
`

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Millrace: first account</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${path}/styles.css">
<script src="${path}/script.js" defer></script>
<h1>First account</h1>
<p>This instance has no account yet. Name your business, and yourself as its administrator.</p>
<form>
<label>Business <input name="business" required maxlength="100" autocomplete="organization"></label>
<label>E-mail <input name="email" type="email" required autocomplete="username"></label>
<label>Password <input name="password" type="password" required minlength="8"
  autocomplete="new-password"></label>
<button>Create the account</button>
<output role="status"></output>
</form>
</html>
`

/** Serves the form. It needs no credential: the code in its address does. */
export function addFirstAccountPage(app: FastifyInstance): void {
  const get = (name: string, type: string, body: string) =>
    app.get(`${path}${name}`, (_request, reply) =>
      reply
        .headers(pageHeaders({ stylesInPage: false }))
        .header('cache-control', 'no-store')
        .header('content-type', `${type}; charset=utf-8`)
        .send(body),
    )
  get('', 'text/html', page)
  get('/script.js', 'text/javascript', script)
  get('/styles.css', 'text/css', styles)
}
