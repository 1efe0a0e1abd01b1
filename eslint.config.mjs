// What `make lint` asks of the JavaScript of the pages. How it is laid out is for prettier, see package.json.

import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    files: ["src/damier/**/*.js"],
    languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "eqeqeq": "error",
      "max-lines": ["error", 350],
      "no-shadow": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  { files: ["src/damier/arena/report/page.js"], languageOptions: { sourceType: "script" } }, // pasted into each report
];
