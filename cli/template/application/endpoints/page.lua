--#ENDPOINT GET / text/html
return [[<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>My application</title>
<h1>My application</h1>
<form id="signin">
  <label>E-mail <input name="email" type="email" required autocomplete="username"></label>
  <label>Password <input name="password" type="password" required autocomplete="current-password"></label>
  <button>Sign in</button>
</form>
<p id="said" role="status"></p>
<script>
const said = document.getElementById('said')
document.getElementById('signin').addEventListener('submit', async (submitted) => {
  submitted.preventDefault()
  const body = JSON.stringify(Object.fromEntries(new FormData(submitted.target)))
  const headers = { 'Content-Type': 'application/json' }
  const answer = await (await fetch('api/signin', { method: 'POST', headers, body })).json()
  if (!answer.token) { said.textContent = answer.error; return }
  const me = await fetch('api/me', { headers: { Authorization: 'Bearer ' + answer.token } })
  said.textContent = 'Signed in as ' + (await me.json()).email
})
</script>
</html>
]]
