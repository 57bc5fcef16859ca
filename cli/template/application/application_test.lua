local person = { email = "ann@example.com", password = "a-long-password", name = "Ann" }

-- Signs up, and returns the code of the mail.
local function signed_up()
  fake("Email", "send", {})
  local answer = request("POST", "/api/signup", { body = person })
  expect(answer.code):equals(200)
  local mails = calls("Email", "send")
  return mails[#mails].text:match("Your code is (%S+)")
end

function test_a_person_signs_up_by_mail_and_signs_in()
  local code = signed_up()
  expect(request("POST", "/api/signin", { body = person }).code):differs(200)
  expect(request("POST", "/api/activate", { body = { code = code } }).code):equals(200)
  local token = request("POST", "/api/signin", { body = person }).body.token
  local headers = { Authorization = "Bearer " .. token }
  local me = request("GET", "/api/me", { headers = headers })
  expect(me.body):equals { email = "ann@example.com", name = "Ann" }
end

function test_an_address_signs_up_once()
  signed_up()
  expect(request("POST", "/api/signup", { body = person }).code):equals(400)
end

function test_a_wrong_code_and_a_wrong_token_are_refused()
  expect(request("POST", "/api/activate", { body = { code = "none" } }).code):differs(200)
  local headers = { Authorization = "Bearer none" }
  expect(request("GET", "/api/me", { headers = headers }).code):equals(401)
  expect(request("GET", "/api/me").code):equals(401)
end

function test_the_page_is_html()
  local page = request("GET", "/")
  expect(page.code):equals(200)
  expect(page.headers["content-type"]):contains("text/html")
  expect(page.body):contains("<h1>My application</h1>")
end
