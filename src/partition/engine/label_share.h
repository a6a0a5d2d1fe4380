#pragma once

// --label-share, which several methods take: one name, one meaning, and so one description.

#include <string>
#include <utility>

#include "base/option.h"

namespace tada {

/// `by_default` is "" where a method does not weigh the label unless it is asked to.
inline OptionSpec LabelShareOptionSpec(std::string by_default = {}) {
  return {
      .name = "label-share",
      .type = OptionType::kReal,
      .value_name = "share",
      .default_text = std::move(by_default),
      .minimum = 0,
      .maximum = 1,
      .section = "Target",
      .help =
          "Weigh the label (1: nothing else counts) against the width of cells (0) when groups are formed; ta_da then "
          "searches as compact does instead of running Mondrian."};
}

}  // namespace tada
