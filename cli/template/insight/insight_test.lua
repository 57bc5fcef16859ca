local function process(id, data, constants)
  local args = { function_id = id, constants = constants }
  return request("POST", "/process", { body = { id = "link", data = data, args = args } })
end

function test_the_functions_are_listed()
  local listed = request("POST", "/insights", { body = { limit = 10, offset = 0 } }).body
  expect(listed.total):equals(1)
  expect(listed.insights[1].id):equals("scale")
  expect(request("GET", "/insight/scale").body.name):equals("Scale")
  expect(request("GET", "/insight/none").code):equals(404)
end

function test_a_value_is_scaled()
  local answer = process("scale", { { ts = 1, value = 21 } }, { factor = 3 })
  expect(answer.code):equals(200)
  expect(answer.body[1][1].value):equals(63)
end

function test_a_value_that_is_no_number_says_nothing()
  expect(#process("scale", { { ts = 1, value = "warm" } }, {}).body[1]):equals(0)
end

function test_a_function_that_is_not_there_is_refused()
  expect(process("none", {}, {}).code):equals(400)
end

function test_the_definition_names_the_calls()
  local paths = request("GET", "/interface").body.paths
  expect(paths["/process"].post.operationId):equals("process")
end
