#include "report/profile_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tada {

using Json = nlohmann::ordered_json;

std::string ProfileJson(const Profile& profile, const Plan& plan) {
  Json columns = Json::array(), quasi = Json::array();
  for (const ColumnProfile& column : profile.columns) {
    columns.push_back({{"name", column.name},
                       {"kind", KindName(column.kind)},
                       {"date", column.is_date},
                       {"distinct", column.distinct},
                       {"missing", column.missing},
                       {"uniqueness", column.uniqueness},
                       {"role", ColumnRoleName(column.role)},
                       {"given", column.given},
                       {"reason", column.reason}});
    if (column.role == ColumnRole::kQuasi) quasi.push_back(column.name);
  }
  const double rows = static_cast<double>(std::max<uint64_t>(1, profile.rows));
  const Json json = {{"rows", profile.rows},
                     {"columns", columns},
                     {"quasi", quasi},
                     {"unique_rows", profile.unique_rows},
                     {"unique_share", static_cast<double>(profile.unique_rows) / rows},
                     {"classes", profile.classes},
                     {"smallest_class", profile.smallest_class},
                     {"largest_class", profile.largest_class},
                     {"k", plan.requirement.k},
                     {"rows_below_k", profile.rows_below_k},
                     {"class_sizes", profile.class_sizes}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tada
