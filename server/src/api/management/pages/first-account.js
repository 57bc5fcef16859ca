const form = document.querySelector('form')
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
