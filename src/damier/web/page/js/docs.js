// A readable page of the OpenAPI document that loads nothing from the network.

import { h } from "./dom.js";

const schema = await (await fetch("openapi.json")).json();
const main = document.getElementById("main");
const named = (ref) => schema.components.schemas[ref.split("/").at(-1)];
const kindOf = (of) => of.$ref?.split("/").at(-1) ?? of.type ?? of.anyOf?.map(kindOf).join(" or ") ?? "";

function fields(of) {
  const body = of.$ref ? named(of.$ref) : of;
  return h(
    "table",
    {},
    h(
      "tbody",
      {},
      Object.entries(body.properties ?? {}).map(([name, each]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, name),
          h("td", {}, kindOf(each)),
          h("td", {}, (body.required ?? []).includes(name) ? "required" : ""),
          h("td", {}, each.description ?? each.items?.description ?? ""),
        ),
      ),
    ),
  );
}

document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
main.append(
  ...schema.info.description.split("\n\n").map((text) => h("p", {}, text)),
  h("p", {}, h("a", { href: "openapi.json" }, "openapi.json")),
);
for (const [path, methods] of Object.entries(schema.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    const body = operation.requestBody?.content["application/json"]?.schema;
    main.append(
      h(
        "section",
        { class: "panel" },
        h("h2", {}, h("code", {}, `${method.toUpperCase()} ${path}`)),
        h("p", {}, operation.description ?? operation.summary),
        operation.parameters?.length
          ? h(
              "table",
              {},
              h(
                "tbody",
                {},
                operation.parameters.map((each) =>
                  h(
                    "tr",
                    {},
                    h("th", { scope: "row" }, each.name),
                    h("td", {}, each.in),
                    h("td", {}, kindOf(each.schema)),
                    h("td", {}, each.description ?? ""),
                  ),
                ),
              ),
            )
          : null,
        body ? fields(body) : null,
      ),
    );
  }
}
